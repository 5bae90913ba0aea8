// What the machine does not do: each call prints one line and returns cudaErrorNotSupported. The names are
// the other exports of the toolkit's library, so that a program finds every symbol.
#include <cstdio>
#include <cstring>

namespace {

constexpr int NOT_SUPPORTED = 801;  ///< cudaErrorNotSupported

/// Parts of CUDA, by what the names of their functions contain, and what to do instead.
constexpr const char* PARTS[][2] = {
    {"Texture", "textures: read the memory by a pointer"},
    {"Surface", "surfaces: use the memory by a pointer"},
    {"Array", "arrays for textures: use cudaMalloc or cudaMallocPitch"},
    {"Mipmapped", "arrays for textures: use cudaMalloc or cudaMallocPitch"},
    {"ChannelDesc", "textures: read the memory by a pointer"},
    {"Conditional", "conditional nodes: launch the graph from a loop of the host"},
    {"Ipc", "memory of other processes"},
    {"External", "memory of other interfaces"},
    {"Graphics", "graphics"},
    {"EGL", "graphics"},
    {"GL", "graphics"}};

int refuse(const char* name) {
    const char* missing = "such function";
    for (const auto& [word, part] : PARTS)
        if (std::strstr(name, word) != nullptr) missing = part;
    std::fprintf(stderr, "SIMT machine: %s: the machine has no %s\n", name, missing);
    return NOT_SUPPORTED;
}

}  // namespace

/// Functions of the driver's are named.
#define UNSUPPORTED_DRIVER(name)                               \
    extern "C" int name(const char* symbol, void** function) { \
        *function = nullptr;                                   \
        return refuse(symbol);                                 \
    }

UNSUPPORTED_DRIVER(cudaGetDriverEntryPoint)
UNSUPPORTED_DRIVER(cudaGetDriverEntryPoint_ptsz)
UNSUPPORTED_DRIVER(cudaGetDriverEntryPointByVersion)
UNSUPPORTED_DRIVER(cudaGetDriverEntryPointByVersion_ptsz)
UNSUPPORTED_DRIVER(__cudaGetProcAddress)

#define UNSUPPORTED(name) \
    extern "C" int name() { return refuse(#name); }
#define WITH_PTDS(name) UNSUPPORTED(name) UNSUPPORTED(name##_ptds)
#define WITH_PTSZ(name) UNSUPPORTED(name) UNSUPPORTED(name##_ptsz)

// clang-format off: a list, several a line.
UNSUPPORTED(cudaArrayGetInfo) UNSUPPORTED(cudaArrayGetMemoryRequirements) UNSUPPORTED(cudaArrayGetPlane)
UNSUPPORTED(cudaArrayGetSparseProperties) UNSUPPORTED(cudaCreateSurfaceObject)
UNSUPPORTED(cudaCreateTextureObject) UNSUPPORTED(cudaDestroyExternalMemory)
UNSUPPORTED(cudaDestroyExternalSemaphore) UNSUPPORTED(cudaDestroySurfaceObject)
UNSUPPORTED(cudaDestroyTextureObject) UNSUPPORTED(cudaDeviceFlushGPUDirectRDMAWrites)
UNSUPPORTED(cudaDeviceGetByPCIBusId) UNSUPPORTED(cudaDeviceGetGraphMemAttribute)
UNSUPPORTED(cudaDeviceGetHostAtomicCapabilities) UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes)
UNSUPPORTED(cudaDeviceGetP2PAtomicCapabilities) UNSUPPORTED(cudaDeviceGetTexture1DLinearMaxWidth)
UNSUPPORTED(cudaDeviceGraphMemTrim) UNSUPPORTED(cudaDeviceRegisterAsyncNotification)
UNSUPPORTED(cudaDeviceSetGraphMemAttribute) UNSUPPORTED(cudaDeviceUnregisterAsyncNotification)
UNSUPPORTED(cudaEGLStreamConsumerAcquireFrame) UNSUPPORTED(cudaEGLStreamConsumerConnect)
UNSUPPORTED(cudaEGLStreamConsumerConnectWithFlags) UNSUPPORTED(cudaEGLStreamConsumerDisconnect)
UNSUPPORTED(cudaEGLStreamConsumerReleaseFrame) UNSUPPORTED(cudaEGLStreamProducerConnect)
UNSUPPORTED(cudaEGLStreamProducerDisconnect) UNSUPPORTED(cudaEGLStreamProducerPresentFrame)
UNSUPPORTED(cudaEGLStreamProducerReturnFrame) UNSUPPORTED(cudaEventCreateFromEGLSync)
UNSUPPORTED(cudaExternalMemoryGetMappedBuffer) UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray)
UNSUPPORTED(cudaFreeArray) UNSUPPORTED(cudaFreeMipmappedArray) UNSUPPORTED(cudaGLGetDevices)
UNSUPPORTED(cudaGLMapBufferObject) UNSUPPORTED(cudaGLMapBufferObjectAsync)
UNSUPPORTED(cudaGLRegisterBufferObject) UNSUPPORTED(cudaGLSetBufferObjectMapFlags)
UNSUPPORTED(cudaGLSetGLDevice) UNSUPPORTED(cudaGLUnmapBufferObject)
UNSUPPORTED(cudaGLUnmapBufferObjectAsync) UNSUPPORTED(cudaGLUnregisterBufferObject)
UNSUPPORTED(cudaGetChannelDesc) UNSUPPORTED(cudaGetExportTable) UNSUPPORTED(cudaGetMipmappedArrayLevel)
UNSUPPORTED(cudaGetSurfaceObjectResourceDesc) UNSUPPORTED(cudaGetTextureObjectResourceDesc)
UNSUPPORTED(cudaGetTextureObjectResourceViewDesc) UNSUPPORTED(cudaGetTextureObjectTextureDesc)
UNSUPPORTED(cudaGraphAddEventRecordNode) UNSUPPORTED(cudaGraphAddEventWaitNode)
UNSUPPORTED(cudaGraphAddExternalSemaphoresSignalNode) UNSUPPORTED(cudaGraphAddExternalSemaphoresWaitNode)
UNSUPPORTED(cudaGraphAddMemcpyNodeFromSymbol) UNSUPPORTED(cudaGraphAddMemcpyNodeToSymbol)
UNSUPPORTED(cudaGraphChildGraphNodeGetGraph) UNSUPPORTED(cudaGraphConditionalHandleCreate)
UNSUPPORTED(cudaGraphDebugDotPrint) UNSUPPORTED(cudaGraphDestroyNode)
UNSUPPORTED(cudaGraphEventRecordNodeGetEvent) UNSUPPORTED(cudaGraphEventRecordNodeSetEvent)
UNSUPPORTED(cudaGraphEventWaitNodeGetEvent) UNSUPPORTED(cudaGraphEventWaitNodeSetEvent)
UNSUPPORTED(cudaGraphExecChildGraphNodeSetParams) UNSUPPORTED(cudaGraphExecEventRecordNodeSetEvent)
UNSUPPORTED(cudaGraphExecEventWaitNodeSetEvent)
UNSUPPORTED(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
UNSUPPORTED(cudaGraphExecExternalSemaphoresWaitNodeSetParams) UNSUPPORTED(cudaGraphExecGetFlags)
UNSUPPORTED(cudaGraphExecHostNodeSetParams) UNSUPPORTED(cudaGraphExecMemcpyNodeSetParams)
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParams1D) UNSUPPORTED(cudaGraphExecMemcpyNodeSetParamsFromSymbol)
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParamsToSymbol) UNSUPPORTED(cudaGraphExecMemsetNodeSetParams)
UNSUPPORTED(cudaGraphExecNodeSetParams) UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeGetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeSetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeGetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeSetParams) UNSUPPORTED(cudaGraphGetEdges)
UNSUPPORTED(cudaGraphHostNodeGetParams) UNSUPPORTED(cudaGraphHostNodeSetParams)
UNSUPPORTED(cudaGraphKernelNodeCopyAttributes) UNSUPPORTED(cudaGraphKernelNodeGetAttribute)
UNSUPPORTED(cudaGraphKernelNodeGetParams) UNSUPPORTED(cudaGraphKernelNodeSetAttribute)
UNSUPPORTED(cudaGraphKernelNodeSetParams) UNSUPPORTED(cudaGraphMemAllocNodeGetParams)
UNSUPPORTED(cudaGraphMemFreeNodeGetParams) UNSUPPORTED(cudaGraphMemcpyNodeGetParams)
UNSUPPORTED(cudaGraphMemcpyNodeSetParams) UNSUPPORTED(cudaGraphMemcpyNodeSetParams1D)
UNSUPPORTED(cudaGraphMemcpyNodeSetParamsFromSymbol) UNSUPPORTED(cudaGraphMemcpyNodeSetParamsToSymbol)
UNSUPPORTED(cudaGraphMemsetNodeGetParams) UNSUPPORTED(cudaGraphMemsetNodeSetParams)
UNSUPPORTED(cudaGraphNodeFindInClone) UNSUPPORTED(cudaGraphNodeGetDependentNodes)
UNSUPPORTED(cudaGraphNodeSetParams) UNSUPPORTED(cudaGraphReleaseUserObject)
UNSUPPORTED(cudaGraphRemoveDependencies) UNSUPPORTED(cudaGraphRetainUserObject)
UNSUPPORTED(cudaGraphicsEGLRegisterImage) UNSUPPORTED(cudaGraphicsGLRegisterBuffer)
UNSUPPORTED(cudaGraphicsGLRegisterImage) UNSUPPORTED(cudaGraphicsMapResources)
UNSUPPORTED(cudaGraphicsResourceGetMappedEglFrame) UNSUPPORTED(cudaGraphicsResourceGetMappedMipmappedArray)
UNSUPPORTED(cudaGraphicsResourceGetMappedPointer) UNSUPPORTED(cudaGraphicsResourceSetMapFlags)
UNSUPPORTED(cudaGraphicsSubResourceGetMappedArray) UNSUPPORTED(cudaGraphicsUnmapResources)
UNSUPPORTED(cudaGraphicsUnregisterResource) UNSUPPORTED(cudaGraphicsVDPAURegisterOutputSurface)
UNSUPPORTED(cudaGraphicsVDPAURegisterVideoSurface) UNSUPPORTED(cudaImportExternalMemory)
UNSUPPORTED(cudaImportExternalSemaphore) UNSUPPORTED(cudaIpcCloseMemHandle)
UNSUPPORTED(cudaIpcGetEventHandle) UNSUPPORTED(cudaIpcGetMemHandle) UNSUPPORTED(cudaIpcOpenEventHandle)
UNSUPPORTED(cudaIpcOpenMemHandle) UNSUPPORTED(cudaLibraryEnumerateKernels) UNSUPPORTED(cudaLibraryGetGlobal)
UNSUPPORTED(cudaLibraryGetKernel) UNSUPPORTED(cudaLibraryGetKernelCount) UNSUPPORTED(cudaLibraryGetManaged)
UNSUPPORTED(cudaLibraryGetUnifiedFunction) UNSUPPORTED(cudaLibraryLoadData)
UNSUPPORTED(cudaLibraryLoadFromFile) UNSUPPORTED(cudaLibraryUnload) UNSUPPORTED(cudaLogsCurrent)
UNSUPPORTED(cudaLogsDumpToFile) UNSUPPORTED(cudaLogsDumpToMemory) UNSUPPORTED(cudaLogsRegisterCallback)
UNSUPPORTED(cudaLogsUnregisterCallback) UNSUPPORTED(cudaMalloc3DArray) UNSUPPORTED(cudaMallocArray)
UNSUPPORTED(cudaMallocMipmappedArray) WITH_PTSZ(cudaMemDiscardAndPrefetchBatchAsync)
WITH_PTSZ(cudaMemDiscardBatchAsync) UNSUPPORTED(cudaMemGetDefaultMemPool) UNSUPPORTED(cudaMemGetMemPool)
UNSUPPORTED(cudaMemPoolExportPointer) UNSUPPORTED(cudaMemPoolExportToShareableHandle)
UNSUPPORTED(cudaMemPoolGetAccess) UNSUPPORTED(cudaMemPoolGetAttribute)
UNSUPPORTED(cudaMemPoolImportFromShareableHandle) UNSUPPORTED(cudaMemPoolImportPointer)
UNSUPPORTED(cudaMemPoolSetAccess) WITH_PTSZ(cudaMemPrefetchBatchAsync) UNSUPPORTED(cudaMemRangeGetAttribute)
UNSUPPORTED(cudaMemRangeGetAttributes) UNSUPPORTED(cudaMemSetMemPool) WITH_PTDS(cudaMemcpy2DArrayToArray)
WITH_PTDS(cudaMemcpy2DFromArray) WITH_PTSZ(cudaMemcpy2DFromArrayAsync) WITH_PTDS(cudaMemcpy2DToArray)
WITH_PTSZ(cudaMemcpy2DToArrayAsync) WITH_PTSZ(cudaMemcpy3DBatchAsync) WITH_PTDS(cudaMemcpy3DPeer)
WITH_PTSZ(cudaMemcpy3DPeerAsync) WITH_PTDS(cudaMemcpyArrayToArray) WITH_PTSZ(cudaMemcpyBatchAsync)
WITH_PTDS(cudaMemcpyFromArray) WITH_PTSZ(cudaMemcpyFromArrayAsync) WITH_PTDS(cudaMemcpyToArray)
WITH_PTSZ(cudaMemcpyToArrayAsync) UNSUPPORTED(cudaMipmappedArrayGetMemoryRequirements)
UNSUPPORTED(cudaMipmappedArrayGetSparseProperties) WITH_PTSZ(cudaSignalExternalSemaphoresAsync)
WITH_PTSZ(cudaStreamBeginCaptureToGraph) WITH_PTSZ(cudaStreamGetAttribute)
WITH_PTSZ(cudaStreamUpdateCaptureDependencies) UNSUPPORTED(cudaUserObjectCreate)
UNSUPPORTED(cudaUserObjectRelease) UNSUPPORTED(cudaUserObjectRetain) UNSUPPORTED(cudaVDPAUGetDevice)
UNSUPPORTED(cudaVDPAUSetVDPAUDevice) WITH_PTSZ(cudaWaitExternalSemaphoresAsync)
